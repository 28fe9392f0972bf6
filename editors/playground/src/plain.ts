// What the evaluator says in marked up words, made harmless: nothing that somebody
// pasted can become markup of the page's.
import DOMPurify from "dompurify";

const allowed = { ALLOWED_TAGS: ["p", "pre", "code", "strong", "em", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "hr", "br", "span", "a", "blockquote"], ALLOWED_ATTR: ["class", "href"] };

/** plain leaves of markup what words need. */
export const plain = (html: string): string => DOMPurify.sanitize(html, allowed);
