// Schemas to validate with: those of two tools, and one with every keyword.
import type { JsonSchema } from '../../../../lib/base/util/schema/json-schema.js'

export const bash = {
  type: 'object',
  properties: {
    command: { type: 'string' },
    mode: { type: 'string', enum: ['default', 'slow', 'background'] },
  },
  required: ['command'],
  additionalProperties: false,
} as const satisfies JsonSchema

export const suite = {
  type: 'object',
  properties: {
    command: { type: 'string' },
    timeout: { type: 'integer', minimum: 1, maximum: 600000 },
    description: { type: 'string' },
    run_in_background: { type: 'boolean' },
  },
  required: ['command'],
  additionalProperties: false,
} as const satisfies JsonSchema

export const everyKeyword = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 3 },
    ratio: { type: 'number', minimum: 0.5 },
    limit: { type: 'number', maximum: 10 },
    size: { type: 'integer', enum: [1, 2, 4] },
    word: { type: 'string', enum: ['a', 'longer'], minLength: 2 },
    names: { type: 'array', items: { type: 'string' } },
  },
  required: ['text', 'ratio'],
  additionalProperties: false,
} as const satisfies JsonSchema
