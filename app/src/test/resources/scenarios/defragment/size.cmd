plan -f ./cluster.yaml --defragment --for 3
