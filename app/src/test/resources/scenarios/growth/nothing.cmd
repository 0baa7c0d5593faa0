plan -f ./cluster.yaml
