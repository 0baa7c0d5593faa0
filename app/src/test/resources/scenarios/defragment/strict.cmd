plan -f ./cluster.yaml -f ./strict.yaml -f ./train.yaml --defragment
