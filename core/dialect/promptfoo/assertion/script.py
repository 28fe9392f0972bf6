import json, re, sys, importlib.util
given = json.load(sys.stdin)
class Lack(Exception):
    """What the code needs is not known here."""
class Partial(dict):
    def __missing__(self, key):
        if key in ("provider", "providerResponse", "logProbs", "metadata", "trace", "assert", "description", "providerOutput", "threshold"):
            raise Lack(key)
        raise KeyError(key)
    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default
context = given["context"]
context["test"] = Partial(context["test"])
given["context"] = Partial(context)
def load():
    if given.get("file"):
        spec = importlib.util.spec_from_file_location("assertion", given["file"])
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return getattr(loaded, given.get("function") or "get_assert")
    code, names = given["code"], {"json": json}
    if "\n" in code:
        found = re.search(r"^(?!\s*$)[ \t]+", code, re.M)
        indent = found.group(0) if found else "    "
        code = "\n".join(indent + line for line in code.split("\n"))
    else:
        code = "    return " + code
    exec("def main(output, context):\n" + code + "\n", names)
    return names["main"]
def read(result):
    """A text may be a boolean, a number or an object, and a key in snake case."""
    text = result.lower() if isinstance(result, str) else ""
    if text in ("true", "false"):
        result = text == "true"
    elif re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", text):
        result = float(text)
    elif text.startswith("{"):
        try:
            result = json.loads(result)
        except ValueError:
            pass
    if isinstance(result, dict):
        for snake, camel in (("pass_", "pass"), ("named_scores", "namedScores")):
            if result.get(camel) is None:
                result[camel] = result.get(snake)
    return result
try:
    answer = {"result": read(load()(given["output"], given["context"]))}
except Lack as error:
    answer = {"error": str(error), "lacks": str(error)}
except Exception as error:
    answer = {"error": str(error)}
print("\n" + json.dumps(answer))
