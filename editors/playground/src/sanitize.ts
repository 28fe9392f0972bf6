// Sanitizes the HTML that the language server's Markdown becomes, because it may quote pasted text.
import DOMPurify from "dompurify";

const allowed = { ALLOWED_TAGS: ["p", "pre", "code", "strong", "em", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "hr", "br", "span", "a", "blockquote"], ALLOWED_ATTR: ["class", "href"] };

/** sanitize removes all elements and attributes that are not allowed. */
export const sanitize = (html: string): string => DOMPurify.sanitize(html, allowed);
