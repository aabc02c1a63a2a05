import * as z from 'zod'
import { Attachment, MAX_ATTACHMENTS } from '../core/alerting/attachment.ts'
import { ContactSummary, Delivery } from '../core/alerting/delivery-log.ts'
import { DeliveryQuery } from './alerting/delivery-query.ts'
import { many, one, page } from './envelope.ts'
import type { Operation } from './operation.ts'

export const deliveryOperations = {
  listContactSummaries: {
    internal: true,
    method: 'GET',
    path: '/contact-summaries',
    summary: 'List contacts with their recent deliveries',
    access: 'read',
    status: 200,
    output: many(ContactSummary),
    errors: [],
  },
  listContactAttachments: {
    internal: true,
    method: 'GET',
    path: '/notification-contacts/{notificationContact}/attachments',
    summary: 'List the monitors, servers and sites that a contact is attached to, ordered by name',
    access: 'read',
    status: 200,
    output: many(Attachment, MAX_ATTACHMENTS),
    errors: ['notFound'],
  },
  testContact: {
    internal: true,
    method: 'POST',
    path: '/notification-contacts/{notificationContact}/test',
    summary: "Send a test alert; the delivery shows the receiver's response",
    access: 'write',
    status: 201,
    output: one(Delivery),
    errors: ['notFound'],
  },
  getPushKey: {
    internal: true,
    method: 'GET',
    path: '/push-key',
    summary: 'Show the key with which browsers subscribe to alerts',
    access: 'write',
    status: 200,
    output: one(z.object({ public_key: z.string() })),
    errors: [],
  },
  askContact: {
    internal: true,
    method: 'POST',
    path: '/notification-contacts/{notificationContact}/ask',
    summary: 'Ask a contact’s address again to agree to alerts, once the last letter has expired',
    access: 'write',
    status: 204,
    errors: ['notFound', 'validationFailed'],
  },
  listDeliveries: {
    internal: true,
    method: 'GET',
    path: '/deliveries',
    summary: 'List alerts that were sent or are being sent, newest first',
    access: 'read',
    query: DeliveryQuery,
    status: 200,
    output: page(Delivery),
    errors: ['validationFailed'],
  },
  getDelivery: {
    internal: true,
    method: 'GET',
    path: '/deliveries/{delivery}',
    summary: 'Show a delivery with all attempts',
    access: 'read',
    status: 200,
    output: one(Delivery),
    errors: ['notFound'],
  },
} as const satisfies Record<string, Operation>
