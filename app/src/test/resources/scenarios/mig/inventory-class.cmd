inventory -f ./held.yaml -f ./cluster.yaml --class gpu.example.com --node mig-0
