/** One instruction: its name in capitals, and the rest of its line with what continues it. */
export type Step = { name: string; args: string }

/** The stages of a Dockerfile, each with its instructions in order; comments are left out. */
export function readDockerfile(text: string): { stages: Step[][] } {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  const steps = lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [, name = '', args = ''] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? []
      return { name: name.toUpperCase(), args }
    })
  const stages: Step[][] = []
  for (const step of steps) {
    if (step.name === 'FROM') stages.push([])
    stages.at(-1)?.push(step)
  }
  return { stages }
}
