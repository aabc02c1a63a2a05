import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refresh } from '../../dashboard/data/refresh.ts'
import { until } from '../support/until.ts'

for (const [name, isAnswered] of [
  ['whose first answer is under way', false],
  ['that is shown', true],
] as const) {
  test(`a question ${name} has the answer from after the news in the end`, async (t) => {
    const queries = new QueryClient()
    let known = 'before the news'
    const asked: (() => void)[] = []
    const queryFn = () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      const read = known
      asked.push(() => resolve(read))
      return promise
    }
    const observer = new QueryObserver(queries, { queryKey: ['list'], queryFn, staleTime: Infinity })
    t.after(observer.subscribe(() => {}))
    const shown = () => queries.getQueryData(['list'])
    if (isAnswered) {
      asked.shift()?.()
      await until('the first answer', shown)
    }
    known = 'after the news'
    const refreshed = refresh(queries, () => true)
    const answering = setInterval(() => asked.shift()?.(), 1)
    t.after(() => clearInterval(answering))
    await refreshed
    assert.equal(shown(), 'after the news')
  })
}
