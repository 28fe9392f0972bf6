// What a new file can start from.
import type { File } from "./state";

/** Template is a new file with its usual name. Some come with a second file. */
export interface Template {
  label: string;
  name: string;
  text: string;
  others?: File[];
}

const checklist = `# A case is a question, a good answer and the criteria that a judge checks.
evalcases:
  - id: first-case
    expected_outcome: What a good answer does, in a sentence
    input: What the user asks
    expected_output: A good answer
    rubrics:
      - id: must-hold
        expected_outcome: Something that every answer needs
        weight: 2
        required: true
      - id: nice-to-have
        expected_outcome: Something that makes an answer better
        weight: 1
        required: false
`;

const ranges = `# A criterion with score ranges is graded from 0 to 10; each range says what its scores mean.
evalcases:
  - id: first-case
    expected_outcome: What a good answer does, in a sentence
    input: What the user asks
    expected_output: A good answer
    rubrics:
      - id: clarity
        expected_outcome: The answer is easy to follow
        required_min_score: 5
        score_ranges:
          - score_range: [0, 4]
            expected_outcome: A reader has to guess
          - score_range: [5, 7]
            expected_outcome: A reader understands it with some effort
          - score_range: [8, 10]
            expected_outcome: A reader understands it at once
`;

const evalset = {
  eval_set_id: "first_set",
  eval_cases: [{
    eval_id: "first_case",
    conversation: [{ user_content: { role: "user", parts: [{ text: "What the user asks" }] }, final_response: { role: "model", parts: [{ text: "A good answer" }] } }],
  }],
};

const configuration = { criteria: { rubric_based_final_response_quality_v1: { threshold: 0.8, rubrics: [{ rubric_id: "helps", rubric_content: { text_property: "The response answers the question." } }] } } };

const encode = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** templates are the choices. */
export const templates: Template[] = [
  { label: "Checklist: criteria that hold or not", name: "new.eval.yaml", text: checklist },
  { label: "Score ranges: criteria from 0 to 10", name: "new.eval.yaml", text: ranges },
  { label: "ADK evalset, with its configuration", name: "new.evalset.json", text: encode(evalset), others: [{ name: "test_config.json", text: encode(configuration) }] },
  { label: "Empty file", name: "new.eval.yaml", text: "" },
];
