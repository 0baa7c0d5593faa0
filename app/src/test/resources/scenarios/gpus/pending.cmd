plan -f ./cluster.yaml -f ./training.yaml --replicas 9
