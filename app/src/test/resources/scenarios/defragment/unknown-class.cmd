plan -f ./cluster.yaml --defragment --for gpus.example.com=2
