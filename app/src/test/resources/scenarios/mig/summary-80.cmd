COLUMNS=80 inventory -f ./held.yaml -f ./cluster.yaml -f ./workload.yaml --summary
