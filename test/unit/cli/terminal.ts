import type { Terminal } from '../../../cli/terminal';
import type { Clock } from '../../../layer/clock';

export interface TerminalUnderTest extends Terminal {
  printed: string[];
  noted: string[];
  asked: string[];
}

/** Somebody sits at it where there is an answer; it may do something before it answers. */
export function terminalUnderTest(answer?: () => Promise<boolean> | boolean): TerminalUnderTest {
  const printed: string[] = [];
  const noted: string[] = [];
  const asked: string[] = [];
  return {
    interactive: answer !== undefined,
    printed,
    noted,
    asked,
    print: (line) => void printed.push(line),
    note: (line) => void noted.push(line),
    async confirm(question) {
      asked.push(question);
      return answer !== undefined && (await answer());
    },
  };
}

/** Stands still but for those who sleep, who wake at once. */
export function sleepersClock(now: number): Clock & { slept: number[] } {
  let time = now;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    after(milliseconds, callback) {
      slept.push(milliseconds);
      time += milliseconds;
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
    random: () => 0.5,
  };
}
