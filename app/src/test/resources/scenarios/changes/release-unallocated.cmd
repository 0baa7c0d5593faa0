plan -f ./cluster.yaml -f ./workload.yaml --release ml/new
