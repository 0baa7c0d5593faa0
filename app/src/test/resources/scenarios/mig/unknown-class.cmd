inventory -f ./cluster.yaml --class gpu.exampel.com
