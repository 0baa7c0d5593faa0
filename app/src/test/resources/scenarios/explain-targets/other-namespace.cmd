explain -f ./cluster.yaml pod/train
