inventory -f ./cluster.yaml -o yaml
