print('{"score": 1, "hits": ["it ran"], "misses": []}')
