plan -f ./cluster.yaml --tolerate example.com/hot:Never
