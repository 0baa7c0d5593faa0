plan -f ./cluster.yaml --defragment --for gpu.example.com=2
