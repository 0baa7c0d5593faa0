inventory -f ./cluster.yaml
