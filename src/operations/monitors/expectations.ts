import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { SentOptions } from '../../core/monitors/options/monitor-options.ts'

const UNREADABLE = {
  property: (words: string) => said('must be a JSONPath of RFC 9535 ({words})', { words }),
  target: (words: string) => said('must be a pattern of RE2 ({words})', { words }),
} satisfies Record<string, (words: string) => Said>

/** Refuses assertions whose path or pattern is none, in the words of its parser, which is loaded for the first of them. */
export async function refuseUnreadableAssertions(options: SentOptions | null | undefined): Promise<void> {
  const assertions = options?.assertions ?? []
  if (assertions.length === 0) return
  const { syntaxFault } = await import('../../core/expectations/evaluate.ts')
  const faults: Record<string, Said[]> = {}
  for (const [index, assertion] of assertions.entries()) {
    const fault = syntaxFault(assertion)
    if (fault) faults[`options.assertions.${index}.${fault.at}`] = [UNREADABLE[fault.at](fault.words)]
  }
  if (Object.keys(faults).length > 0) throw Refusal.invalid(faults)
}
