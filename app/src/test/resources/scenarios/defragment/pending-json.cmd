plan -f ./cluster.yaml -f ./train.yaml --defragment -o json
