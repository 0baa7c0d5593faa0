plan -f ./cluster.yaml -f ./train.yaml --defragment --budget 1
