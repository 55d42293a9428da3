/** A text as XML and HTML show it. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
