plan -f ./cluster.yaml --defragment
