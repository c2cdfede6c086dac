<?php
require __DIR__ . '/client.php';

$report = bluejay('GET', '/v1/reports/spend?interval=day');
echo "{$report['from']} to {$report['to']}: {$report['totals']['spentCents']} cents\n";
