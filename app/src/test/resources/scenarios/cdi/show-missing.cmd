cdi show gpu.example.com/gpu=7 --dir ./good
