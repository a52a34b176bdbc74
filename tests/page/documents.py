# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports in JSON of which pages are made, and the sources that they are of."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """\
__global__ void transpose{n}(float *out, const float *in, int n) {{
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[x * n + y];
  __syncthreads();
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}}

"""
LINES = SOURCE.count("\n")


def example():
    """The one of docs/json.md."""
    page = (ROOT / "docs/json.md").read_text(encoding="utf-8")
    return json.loads(page.split("```json\n")[1].split("```")[0])


def finding(template, file, kernel, check, number, line, stride):
    unit = "wavefronts" if check == "shared-bank-conflict" else "sectors"
    ways = 2 + number % 31
    out = dict(template, check=check, file=file, line=line, column=18,
               kernel=kernel, fingerprint=f"{number:016x}", group=None,
               severity=("error", "warning", "warning", "note")[number % 4],
               begin={"line": line, "column": 18},
               end={"line": line, "column": 48}, inlined_at=[], fixes=[])
    out["what"] = {"id": "traffic", "text": "load of '{object}' touches {n} "
                   + unit + " per request, ideal 1",
                   "values": {"object": f"data{number}", "n": ways}}
    out["prediction"] = {"metric": unit + "_per_request", "value": ways,
                         "ideal": 1}
    out["remedy"] = {"id": "pad", "text": "pad the rows of '{object}' by 1 "
                     "element", "values": {"object": f"data{number}"}}
    out["waste"] = dict(template["waste"], unit=unit,
                        share_of_kernel=1 / (1 + number % 97),
                        share_of_program=1 / (2 + number))
    out["subject"] = dict(template["subject"], name=f"data{number}[x]",
                          function=kernel, variable=f"data{number}",
                          object=f"data{number}")
    then = {"addresses": [132 * lane for lane in range(32)], "cost": 1}
    out["request"] = {"unit": unit, "bytes": 4, "cost": ways, "ideal": 1,
                      "addresses": [stride * lane for lane in range(32)],
                      "then": then if unit == "wavefronts" else None}
    return out


def many(folder, files, kernels, per_kernel):
    """A report of files times kernels times per_kernel problems; writes the
    sources."""
    document = example()
    unit = document["units"].pop()
    kernel = unit["kernels"].pop()
    template = unit["findings"].pop()
    number = 0
    for f in range(files):
        name = f"src/part{f}/kernels.cu"
        own = dict(unit, file=name, kernels=[], findings=[])
        text = ""
        for k in range(kernels):
            text += SOURCE.format(n=k)
            symbol = f"_Z9transpose{f}_{k}"
            launches = [dict(each, file=name, line=200)
                        for each in kernel["launches"]]
            own["kernels"].append(dict(
                kernel, name=symbol, signature=f"transpose{k}(float *, int)",
                file=name, line=k * LINES + 1, accesses=[], removed=[],
                launches=launches, static_shared_bytes=4096 * (k % 4),
                resources=dict(kernel["resources"],
                               registers=16 + (7 * f + k) % 90)))
            for p in range(per_kernel):
                number += 1
                check = ("global-uncoalesced" if p % 2 else
                         "shared-bank-conflict")
                own["findings"].append(finding(
                    template, name, symbol, check, number,
                    k * LINES + (4 if p % 2 else 6), 4 * (1 + number % 40)))
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        document["units"].append(own)
    document["rules"] = [
        {"name": name, "severity": "warning", "summary": "finds " + name,
         "why": "Because of `banks`.\n\n| before | after |\n|---|--:|\n| 1 | 2 |",
         "bad": SOURCE.format(n=0), "good": SOURCE.format(n=1),
         "limits": "None.", "proof": "A counter."}
        for name in ("global-uncoalesced", "shared-bank-conflict")]
    return document


# Each would do harm if a page took it for more than text.
HOSTILE = ("</script><script>window.harm=1</script>",
           "<img src=x onerror=window.harm=1>",
           "\" autofocus onfocus=window.harm=1 x=\"",
           "javascript:window.harm=1", "a\nb'c\u202e\x1b[31m<!--", "w" * 400)


def hostile(folder):
    """Names and source that try to get out of the text."""
    document = many(folder, 1, 1, len(HOSTILE))
    unit = document["units"][0]
    for each, evil in zip(unit["findings"], HOSTILE):
        each["check"] = each["file"] = each["message"] = evil
        each["what"]["text"] = evil + " '{object}'"
        each["what"]["values"]["object"] = evil
        each["remedy"]["text"] = evil
        each["subject"]["name"] = each["subject"]["object"] = evil
        each["assumptions"] = [evil]
        each["assumed"] = [{"kind": "program", "about": None, "text": evil}]
    evil = HOSTILE[0]
    unit["kernels"][0].update(signature=evil, file=evil)
    document["target"]["name"] = document["tool"]["version"] = evil
    document["rules"] = [dict(document["rules"][0], name=each, why=each,
                              bad=each, summary=each) for each in HOSTILE]
    # A name with a slash is one in a folder.
    path = folder / HOSTILE[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\xef\xbb\xbfint a;\r\n// \xe9</pre><script>window.harm=1"
                     b"</script>\r\n" * 9)
    return document
