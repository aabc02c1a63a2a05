/** Facts of an outage that a template can name. */
export type TemplateValues = {
  /** Names of the components, as a list. */
  component: string
  page: string
  /** When it began. */
  time: string
}

/** Fills the placeholders of a template; what is no placeholder stays as it is. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(/\{(component|page|time)\}/g, (_, name: keyof TemplateValues) => values[name])
}

/** A time as posts say it, in UTC: `2026-11-23 14:02 UTC`. */
export function templateTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
