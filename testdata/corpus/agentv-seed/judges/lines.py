import json
import sys

comment = json.load(sys.stdin)["candidate_answer"]
print(json.dumps({"score": 1 if "line" in comment else 0, "hits": [], "misses": []}))
