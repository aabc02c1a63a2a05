import { phrase } from '../../../src/core/language/phrase.ts'
import type { GroupRule } from '../../../src/core/monitors/groups/group-state.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { t } from '../../language/language.ts'

const RULE_WORDS = {
  all: phrase('all members are up'),
  any: phrase('any member is up'),
  at_least: phrase('at least a number of members are up'),
  percent: phrase('at least a share of members is up'),
} as const

/** The kinds of rules, in the order of the form. */
export const RULES = keysOf(RULE_WORDS)

export function ruleWord(rule: keyof typeof RULE_WORDS): string {
  return t(RULE_WORDS[rule])
}

/** `at least 2 members are up`. */
export function sayRule(rule: GroupRule): string {
  if (typeof rule === 'string') return ruleWord(rule)
  if ('percent' in rule) return t('at least {percent} % of the members are up', { percent: rule.percent })
  return t('at least {count, plural, one {# member is} other {# members are}} up', { count: rule.at_least })
}
