"""OpenSpiel logs by absl, which closes the stream that it logs to: never one that pytest captures."""

import sys

from absl import logging

logging.get_absl_handler().python_handler.setStream(sys.__stderr__)
