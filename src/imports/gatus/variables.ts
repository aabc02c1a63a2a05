/** Whether a text contains `${NAME}` or `$NAME`, which Gatus replaces from its environment. `$$` is a dollar sign. */
export function holdsVariable(text: unknown): boolean {
  return typeof text === 'string' && /(?<!\$)(?:\$\$)*\$(\{|[A-Za-z_])/.test(text)
}

export const HOLDS_VARIABLE =
  'holds a variable of the environment of Gatus: fill it in first, such as by envsubst < config.yaml'
