/** An order as it arrives in the queues' messages. */
export interface Order {
  id: string;
  /** Where the confirmation goes. */
  email?: string;
  /** The accident that the first attempt at this order shall have, where the example is applied to rehearse them. */
  accident?: Accident;
}

export type Accident = 'slow' | 'crash' | 'hang';
