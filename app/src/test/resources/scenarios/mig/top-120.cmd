COLUMNS=120 top --once -f ./held.yaml -f ./cluster.yaml
