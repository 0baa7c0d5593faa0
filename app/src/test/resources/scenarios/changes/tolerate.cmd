plan -f ./cluster.yaml -f ./single.yaml --replicas 2 --tolerate example.com/hot:NoSchedule
