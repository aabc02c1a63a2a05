import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Delivery, isNotSetUp } from '../../../src/core/alerting/delivery-log.ts'
import { ask, question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { Attempts, DeliveryMark, outcomeOf } from '../../parts/alerting/delivery.tsx'
import { Spinner } from '../../parts/button.tsx'

const ASK_AGAIN_MS = 500
const MAX_MS = 15_000

/** A test alert and its outcome. */
export type ContactTest = {
  send: () => Promise<void>
  delivery: Delivery | null
  /** True until the receiver's response to a test arrives. */
  isWaiting: boolean
  problem: unknown
}

/**
 * Sends a test to a contact and follows it until the receiver has responded, or for 15 s. `kept` goes on with one that was sent
 * before the page was loaded anew.
 */
export function useContactTest(
  team: number,
  contact: number,
  kept?: { id: number | undefined; onSent: (id: number) => void },
): ContactTest {
  const queries = useQueryClient()
  const [sent, setSent] = useState<{ id: number; first: Delivery | null; untilMs: number } | null>(() =>
    kept?.id === undefined ? null : { id: kept.id, first: null, untilMs: Date.now() + MAX_MS },
  )
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const { data } = useQuery({
    ...question(team, 'getDelivery', { id: sent?.id ?? 0 }),
    enabled: sent !== null,
    refetchInterval: ({ state }) =>
      isOpen(state.data?.data) && Date.now() < (sent?.untilMs ?? 0) ? ASK_AGAIN_MS : false,
  })
  const delivery = sent && (data?.data ?? sent.first)

  async function send() {
    setSending(true)
    setProblem(null)
    setSent(null)
    try {
      const { data: first } = await ask(team, 'testContact', { id: contact })
      setSent({ id: first.id, first, untilMs: Date.now() + MAX_MS })
      kept?.onSent(first.id)
      void queries.invalidateQueries({ queryKey: [team, 'listDeliveries'] })
    } catch (error) {
      setProblem(error)
    } finally {
      setSending(false)
    }
  }

  const isFollowed = delivery !== null && isOpen(delivery) && Date.now() < (sent?.untilMs ?? 0)
  return { send, delivery, isWaiting: isSending || (isFollowed && delivery.attempts.length === 0), problem }
}

function isOpen(delivery: Delivery | undefined): boolean {
  return delivery === undefined || delivery.state === 'pending'
}

/** Whether a test arrived, as far as this can be known; null while nothing was tried. */
function sayArrival(delivery: Delivery): string | null {
  if (delivery.state === 'sent') {
    return delivery.contact_type === 'email'
      ? t('The mail server took the test. Look for it in the mailbox, and among spam.')
      : t('The test arrived.')
  }
  return delivery.attempts.length > 0 && !isNotSetUp(delivery) ? t('The test did not arrive.') : null
}

/** Shows the receiver's actual response, in a place that is kept for it. */
export function TestOutcome({ test: { delivery, isWaiting } }: { test: ContactTest }) {
  return (
    <div role="status" className="min-h-14 rounded-md bg-sunken px-4 py-3">
      {isWaiting ? (
        <span className="flex items-center gap-2 text-soft">
          <Spinner />
          {t("Waiting for the receiver's response…")}
        </span>
      ) : delivery ? (
        <div className="flex flex-col gap-2">
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <DeliveryMark state={outcomeOf(delivery)} />
            {sayArrival(delivery)}
          </p>
          <Attempts delivery={delivery} isSaid />
          {delivery.state === 'pending' && (
            <p className="text-sm text-soft">
              {delivery.attempts.length > 0
                ? t('Upbeat retries for 24 hours. See the delivery log.')
                : t('No response yet. See the delivery log.')}
            </p>
          )}
        </div>
      ) : (
        <span className="text-soft">{t("The receiver's response will appear here.")}</span>
      )}
    </div>
  )
}
