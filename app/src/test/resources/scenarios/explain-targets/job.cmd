explain -f ./cluster.yaml -f ./workloads.yaml -n ml job/nightly
