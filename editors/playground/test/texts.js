// Eval files of the tests.
import { readFileSync } from "node:fs";

/** banking is an evalset of ADK's with its configuration and what was recorded. */
export const banking = Object.fromEntries(["banking.evalset.json", "test_config.json", "banking.evalset_result.json"].map((name) => [name, readFileSync(`../../testdata/quickstart/banking/${name}`, "utf8")]));

/** evalset is one of ADK's of so many cases, alike but for their names. */
export function evalset(count) {
  const set = JSON.parse(banking["banking.evalset.json"]);
  const [one] = set.eval_cases;
  set.eval_cases = Array.from({ length: count }, (_, i) => ({ ...one, eval_id: `case-${i}` }));
  return JSON.stringify(set, null, 1);
}

/** manyCases returns a file with `count` cases, with or without a mistyped key. */
export const manyCases = (count, fault) => `evalcases:\n${Array.from({ length: count }, (_, i) => `  - id: case-${i}\n    expected_outcome: Resolves request ${i}\n    input: Question ${i}\n    rubrics: [Greets the customer, Resolves request ${i}]\n${fault ? "    wieght: 1\n" : ""}`).join("")}`;

/** faulty has a key that is mistyped. */
export const faulty = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    rubrics:
      - id: one
        expected_outcome: Says it
        weigth: 3
`;

/** twoCriteria has a checklist criterion and one with bands. */
export const twoCriteria = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    rubrics:
      - id: one
        expected_outcome: Says it
        weight: 3
        required: false
      - id: two
        expected_outcome: Says it kindly
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Rude }
          - { score_range: [5, 10], expected_outcome: Kind }
`;
