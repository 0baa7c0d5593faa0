explain -f ./cluster.yaml -f ./workloads.yaml -n ml resourceclaims.resource.k8s.io/shared
