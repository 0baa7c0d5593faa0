plan -f ./cluster.yaml -f ./training.yaml
