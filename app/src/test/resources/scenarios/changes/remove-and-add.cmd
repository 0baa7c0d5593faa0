plan -f ./cluster.yaml -f ./workload.yaml --remove-nodes a --add-nodes b=4
