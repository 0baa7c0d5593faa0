plan -f ./cluster.yaml --defragment --for 5
