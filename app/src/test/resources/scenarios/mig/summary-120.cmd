COLUMNS=120 inventory -f ./held.yaml -f ./cluster.yaml -f ./workload.yaml --summary
