explain -f ./cluster.yaml -f ./workloads.yaml -n ml deployments.apps inference
