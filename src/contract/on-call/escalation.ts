import * as z from 'zod'
import { Acknowledged, AcknowledgementNote } from '../../core/on-call/acknowledgement.ts'
import {
  AppliedPolicy,
  EscalationPolicy,
  MAX_POLICIES,
  OnCallSettings,
  OnCallSettingsPatch,
  OwnPolicy,
  PolicySettings,
} from '../../core/on-call/policy.ts'
import { Drill, DryRun, DryRunQuestion } from '../../core/on-call/shown-escalation.ts'
import { withoutSchemaDefaults } from '../../core/shape.ts'
import { many, one } from '../envelope.ts'
import type { Operation } from '../operation.ts'
import { onEach, SUBJECTS } from '../subjects.ts'

const PATH = '/escalation-policies'
const ONE = `${PATH}/{escalationPolicy}`
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const

const reads = {
  internal: true,
  method: 'GET',
  access: 'read',
  status: 200,
  output: one(AppliedPolicy),
  errors: ['notFound'],
} as const
const sets = {
  internal: true,
  method: 'PUT',
  access: 'write',
  body: OwnPolicy,
  status: 200,
  output: one(AppliedPolicy),
  errors: ['notFound', ...BODY_ERRORS],
} as const

export const escalationOperations = {
  getOnCallSettings: {
    internal: true,
    method: 'GET',
    path: '/on-call-settings',
    summary: 'Show how often the team is alerted of incidents',
    access: 'read',
    status: 200,
    output: one(OnCallSettings),
    errors: [],
  },
  updateOnCallSettings: {
    internal: true,
    method: 'PATCH',
    path: '/on-call-settings',
    summary: 'Change how often the team is alerted of incidents',
    access: 'write',
    body: OnCallSettingsPatch,
    status: 200,
    output: one(OnCallSettings),
    errors: [...BODY_ERRORS],
  },
  listEscalationPolicies: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List escalation policies, ordered by name',
    access: 'read',
    status: 200,
    output: many(EscalationPolicy, MAX_POLICIES),
    errors: [],
  },
  createEscalationPolicy: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Create an escalation policy',
    access: 'write',
    body: PolicySettings,
    status: 201,
    output: one(EscalationPolicy),
    errors: [...BODY_ERRORS],
  },
  getEscalationPolicy: {
    internal: true,
    method: 'GET',
    path: ONE,
    summary: 'Show an escalation policy',
    access: 'read',
    status: 200,
    output: one(EscalationPolicy),
    errors: ['notFound'],
  },
  updateEscalationPolicy: {
    internal: true,
    method: 'PATCH',
    path: ONE,
    summary: 'Change an escalation policy, from the next incident on',
    access: 'write',
    body: z.object(withoutSchemaDefaults(PolicySettings.shape)).partial(),
    status: 200,
    output: one(EscalationPolicy),
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteEscalationPolicy: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete an escalation policy; open incidents go on with it',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  ...onEach(
    SUBJECTS,
    'get*Policy',
    '/escalation-policy',
    (words) => `Show the escalation policy of ${words}`,
    reads,
  ),
  ...onEach(
    SUBJECTS,
    'set*Policy',
    '/escalation-policy',
    (words) => `Choose the escalation policy of ${words}`,
    sets,
  ),
  previewEscalation: {
    internal: true,
    method: 'POST',
    path: '/escalation-dry-runs',
    summary: 'Show what happens if something fails and nobody acknowledges',
    access: 'read',
    body: DryRunQuestion,
    status: 200,
    output: one(DryRun),
    errors: [...BODY_ERRORS],
  },
  startDrill: {
    internal: true,
    method: 'POST',
    path: `${ONE}/drills`,
    summary: 'Run the steps of an escalation policy with test alerts',
    access: 'write',
    status: 201,
    output: one(Drill),
    errors: ['notFound'],
  },
  getDrill: {
    internal: true,
    method: 'GET',
    path: '/drills/{drill}',
    summary: 'Show a drill with the alerts that it sent',
    access: 'read',
    status: 200,
    output: one(Drill),
    errors: ['notFound'],
  },
  acknowledgeDrill: {
    internal: true,
    method: 'POST',
    path: '/drills/{drill}/acknowledgement',
    summary: 'Acknowledge a drill: its further steps are not taken',
    access: 'write',
    body: AcknowledgementNote,
    status: 200,
    output: one(Acknowledged),
    errors: ['notFound', 'conflict', ...BODY_ERRORS],
  },
} as const satisfies Record<string, Operation>
