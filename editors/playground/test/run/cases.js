// A file with two cases, and what a judge may say of them.

/** cases are two: one with a criterion of each kind, and one with another. */
export const cases = `evalcases:
  - id: a
    expected_outcome: Says it
    input: Say it
    expected_messages: [{ role: assistant, content: It is said kindly }]
    rubrics:
      - { id: one, expected_outcome: Mentions “said”, weight: 3, required: false }
      - id: two
        expected_outcome: Says it kindly
        score_ranges:
          - { score_range: [0, 4], expected_outcome: Does not contain “kindly” }
          - { score_range: [5, 10], expected_outcome: Mentions “kindly” }
  - id: b
    expected_outcome: Says more
    input: Say more
    expected_messages: [{ role: assistant, content: More }]
    rubrics:
      - { id: three, expected_outcome: Mentions “More” }
`;

/** ok is the reply of a judge that is satisfied with everything asked. */
export const ok = (question) => JSON.stringify({
  checks: [...question.matchAll(/^- `(\w+)` \((yes\/no|0–10)/gm)].map(([, id, mode]) => (mode === "yes/no" ? { id, satisfied: true, reasoning: `${id} holds` } : { id, score: 7, reasoning: "fairly" })),
  overall_reasoning: "fine",
});
