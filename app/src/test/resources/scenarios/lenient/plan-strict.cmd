plan -f ./cluster.yaml -f ./pods.yaml
