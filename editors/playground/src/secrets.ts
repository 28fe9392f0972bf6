// Patterns of keys and passwords. Links and storage contain no text that matches.

const patterns: [string, RegExp][] = [
  ["an API key", /\b(?:sk|pk|rk)-(?:proj-|ant-|or-|live-|test-)?[A-Za-z0-9_-]{16,}/],
  ["an API key", /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{30,}/],
  ["a JSON web token", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ["a password in an address", /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:[^\s:/@]{3,}@/],
  ["a bearer token", /\b[Bb]earer\s+[A-Za-z0-9._~+/-]{20,}=*/],
  ["a key", /\b(?:api[_-]?key|secret|token|passwo?r?d)["']?\s*[:=]\s*["']?(?=[A-Za-z0-9_+/-]*\d)(?=[A-Za-z0-9_+/-]*[A-Za-z])[A-Za-z0-9_+/-]{20,}/i],
];

/** secretInText returns the kind of the first secret in a text and its line, from 1. */
export function secretInText(text: string): { what: string; line: number } | undefined {
  for (const [what, pattern] of patterns) {
    const found = pattern.exec(text);
    if (found) return { what, line: text.slice(0, found.index).split("\n").length };
  }
  return undefined;
}
