COLUMNS=80 top --once -f ./held.yaml -f ./cluster.yaml
